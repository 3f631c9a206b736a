import { summaryOf } from '../../conversation/gaps/filler-texts.ts'
import type { JsonObject } from '../../conversation/json.ts'
import { unwrapSignature, wrapSignature } from '../../conversation/signatures.ts'

/** Summaries of conversations, in the items in which OpenAI seals its own. */

/** Marks summaries among what is sealed, like the names of providers. */
const summaryMark = 'summary'

/** The text of a compaction item; undefined for one of OpenAI's own. */
export const summaryIn = ({ encrypted_content: sealed }: JsonObject): string | undefined => {
  const seal = typeof sealed === 'string' ? unwrapSignature(sealed) : undefined
  if (seal?.by !== summaryMark || seal.encrypted === undefined) return undefined
  return summaryOf(Buffer.from(seal.encrypted, 'base64').toString())
}

/** A summary as the content of a compaction item. */
export const sealedSummary = (summary: string): string | undefined =>
  wrapSignature({ by: summaryMark, encrypted: Buffer.from(summary).toString('base64') }, 'openai-responses')
