/** What the window asks of the worker that draws pages. */
export type DrawerRequest =
  | { readonly kind: "open"; readonly bytes: Uint8Array; readonly password: string | null }
  /** `page` is 1-based; the picture has exactly `width` × `height` pixels. */
  | { readonly kind: "draw"; readonly id: number; readonly page: number; readonly width: number; readonly height: number };

export type DrawerReply =
  | { readonly kind: "opened"; readonly pages: number }
  | { readonly kind: "not-opened"; readonly detail: string }
  | { readonly kind: "drawn"; readonly id: number; readonly bitmap: ImageBitmap }
  | { readonly kind: "not-drawn"; readonly id: number; readonly detail: string };
