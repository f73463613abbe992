import { useEffect, useState } from "react";
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
  useEffect(() => {
    // Entering a child leaves its parent: only the balance says whether the pointer is still here.
    let depth = 0;
    const enter = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      depth += 1;
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const hover = (event: DragEvent): void => {
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = carriesFiles(event) ? "copy" : "none";
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
    window.addEventListener("dragover", hover);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragenter", enter);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("dragover", hover);
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
