import { BookOpen, FileText, FileType, Globe } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { LibraryEntry, Thumbnail } from "../../electron/contract/document.ts";
import { useDocuments, useSession } from "../app/SessionContext.tsx";
import type { Session } from "../app/session.ts";
import { createThumbnails, type Thumbnails } from "./thumbnails.ts";

const icons = { pdf: FileText, text: FileText, markdown: FileText, docx: FileType, epub: BookOpen, html: Globe } as const;
const ofSessions = new WeakMap<Session, Thumbnails>();

function thumbnailsOf(session: Session): Thumbnails {
  const known = ofSessions.get(session);
  if (known !== undefined) return known;
  const created = createThumbnails(session.context.engine);
  ofSessions.set(session, created);
  return created;
}

/** A document at a glance: its first page where it has pages, else a sign for its kind. Says nothing that its name does not. */
export function DocumentPicture({ entry }: { readonly entry: LibraryEntry }) {
  const session = useSession();
  const isOpen = useDocuments((state) => state.open[entry.id] !== undefined);
  const [thumbnail, setThumbnail] = useState<Thumbnail | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = entry.kind === "pdf" && !entry.locked;

  useEffect(() => {
    if (!drawn) return;
    let gone = false;
    void thumbnailsOf(session)
      .get(entry.id, isOpen)
      .then((found) => {
        if (!gone) setThumbnail(found);
      });
    return () => {
      gone = true;
    };
  }, [session, entry.id, drawn, isOpen]);

  useEffect(() => {
    const context = canvas.current?.getContext("2d") ?? null;
    if (context === null || thumbnail === null) return;
    const { width, height, pixels } = thumbnail;
    const image = context.createImageData(width, height);
    for (let pixel = 0; pixel < width * height; pixel += 1) {
      image.data.set(pixels.subarray(3 * pixel, 3 * pixel + 3), 4 * pixel);
      image.data[4 * pixel + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  }, [thumbnail]);

  const Icon = icons[entry.kind];
  return (
    <span className="document-picture" aria-hidden="true">
      {thumbnail === null ? (
        <Icon size={18} strokeWidth={1.5} />
      ) : (
        <canvas ref={canvas} width={thumbnail.width} height={thumbnail.height} data-testid="thumbnail" />
      )}
    </span>
  );
}
