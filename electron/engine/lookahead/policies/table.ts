import { expectedAttention } from "./expectedAttention.ts";
import { h2o } from "./h2o.ts";
import { laq } from "./laq.ts";
import { lookahead } from "./lookahead.ts";
import { nacl } from "./nacl.ts";
import { oracle } from "./oracle.ts";
import type { EvictionPolicy, PolicyName } from "./policy.ts";
import { pyramidkv } from "./pyramidkv.ts";
import { random } from "./random.ts";
import { snapkv } from "./snapkv.ts";
import { speckv } from "./speckv.ts";
import { streamingllm } from "./streamingllm.ts";
import { tova } from "./tova.ts";

/** Every policy by its name. */
const policies: Readonly<Record<PolicyName, EvictionPolicy>> = {
  lookahead,
  snapkv,
  pyramidkv,
  laq,
  speckv,
  h2o,
  tova,
  nacl,
  "expected-attention": expectedAttention,
  streamingllm,
  random,
  oracle,
};

export const policyOf = (name: PolicyName): EvictionPolicy => policies[name];
