import { useLayoutEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../app/SessionContext.tsx";
import { pathlessProblem } from "./documentActions.ts";

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

/** Files can be dropped anywhere on the window; each opens or says why not. */
export function FileDrop() {
  const { t } = useTranslation();
  const session = useSession();
  const [over, setOver] = useState(false);
  useLayoutEffect(() => {
    // Entering a child leaves its parent: only the balance says whether the pointer is still here.
    let depth = 0;
    const accept = (event: DragEvent): void => {
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = carriesFiles(event) ? "copy" : "none";
    };
    // A move onto another element comes as “dragenter” alone; where that is not accepted, a drop right behind it is lost.
    const enter = (event: DragEvent): void => {
      accept(event);
      if (!carriesFiles(event)) return;
      depth += 1;
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      depth = 0;
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      const paths: string[] = [];
      for (const file of files) {
        const path = window.longsight.pathOfFile(file);
        if (path === "") session.showProblem(pathlessProblem(file.name));
        else paths.push(path);
      }
      if (paths.length > 0) void session.openFiles(paths);
    };
    window.addEventListener("dragenter", enter);
    window.addEventListener("dragleave", leave);
    window.addEventListener("dragover", accept);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragenter", enter);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("dragover", accept);
      window.removeEventListener("drop", drop);
    };
  }, [session]);
  if (!over) return null;
  return (
    <div className="drop-veil" aria-hidden="true">
      <p>{t("empty.dropNow")}</p>
    </div>
  );
}
