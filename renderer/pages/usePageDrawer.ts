import { useEffect, useState } from "react";
import { type Problem, toProblem } from "../../electron/contract/errors.ts";
import { useSession } from "../app/SessionContext.tsx";
import { type BitmapCache, createBitmapCache } from "./bitmapCache.ts";
import { createPageDrawer, type PageDrawer, startPdfiumWorker } from "./pageDrawer.ts";

/** Bytes of pictures kept beside those in view. */
const cacheLimit = 128 * 1024 * 1024;

export type Drawing = { readonly drawer: PageDrawer; readonly cache: BitmapCache<ImageBitmap> };

/** Fetches a document's bytes and starts the worker that draws it; both end with the view. */
export function usePageDrawer(documentId: string): { readonly drawing: Drawing | null; readonly problem: Problem | null } {
  const session = useSession();
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    let mine: Drawing | null = null;
    session.context
      .engine("documentBytes", { documentId }, { signal: controller.signal })
      .then(({ bytes, password }) => {
        mine = { drawer: createPageDrawer(startPdfiumWorker, bytes, password), cache: createBitmapCache<ImageBitmap>(cacheLimit) };
        setDrawing(mine);
      })
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setProblem(toProblem(error));
      });
    return () => {
      controller.abort();
      mine?.drawer.close();
      mine?.cache.clear();
      setDrawing(null);
    };
  }, [session, documentId]);
  return { drawing, problem };
}
