import { z } from "zod";

// The page's policy forbids making code from text, which zod would try. Imported before any schema is used.
z.config({ jitless: true });
