import { z } from 'zod'

/** Values of the placeholders in an error's text, see `ErrorParams`. */
export const errorParams = z.record(z.string(), z.union([z.string(), z.number()]))

/**
 * Names the error behind a text that says why something failed, beside that text: each reader gets it in their language.
 * Absent where another program wrote the text.
 */
export const refusalFields = { code: z.string().optional(), params: errorParams.optional() }

/** The same as a type. */
export interface RefusalFields {
  readonly code?: string | undefined
  readonly params?: z.output<typeof errorParams> | undefined
}

/** Why something happened, for a reader: the text, and the error behind it where the text is the server's own. */
export const cause = z.object({ text: z.string(), ...refusalFields })
export type Cause = z.output<typeof cause>
