import shipped from "../../../assets/models/catalogue.json" with { type: "json" };
import { type CatalogueModel, catalogueSchema, type TestCatalogue } from "../../contract/catalogue.ts";

/** The models that can be downloaded, and where from. */
export type Catalogue = {
  readonly models: readonly CatalogueModel[];
  /** Whether a download of a model may go to an address: https, and one of the model's servers. */
  allows(model: CatalogueModel, address: URL): boolean;
};

/** @param test in place of the catalogue that comes with Longsight */
export function openCatalogue(test?: TestCatalogue): Catalogue {
  const models = test?.models ?? catalogueSchema.parse(shipped).models;
  return {
    models,
    allows(model, address) {
      if (test !== undefined && address.origin === test.origin) return true;
      if (address.protocol !== "https:" || address.username !== "" || address.password !== "" || address.port !== "") return false;
      return model.servers.some((server) => address.hostname === server || address.hostname.endsWith(`.${server}`));
    },
  };
}
