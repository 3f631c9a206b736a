import type { DialectName, DocumentPart, ImagePart, OwnWords, Tool } from './conversation.ts'
import { type Members, without } from './json.ts'
import type { Losses } from './losses.ts'

/** What a member of a request says that only its own dialect knows. */

/** The members of a tool that are not among the known ones; nothing where there are none, as almost always. */
export const ownWords = (dialect: DialectName, its: Members, known: ReadonlySet<string>): { own?: OwnWords } => {
  const members = without(its, known)
  return Object.keys(members).length === 0 ? {} : { own: { dialect, members } }
}

/** How finely arguments come, which no reader depends on. OpenAI's tools that may be looked up later are there at once. */
const harmless = (name: string, dialect: DialectName): boolean =>
  name === 'eager_input_streaming' || (name === 'defer_loading' && dialect === 'openai-responses')

/** They go back to their own dialect; `dialect` is undefined for those that no client speaks. */
export const writeOwnWords = (
  { own }: Extract<Tool, { kind: 'function' }>,
  dialect: DialectName | undefined,
  losses: Losses,
): Members => {
  if (own === undefined) return {}
  if (own.dialect === dialect) return own.members
  for (const name of Object.keys(own.members)) if (!harmless(name, own.dialect)) losses.lose(`tools.${name}`)
  return {}
}

/** What is said about a document where only the document can be given. */
export const loseNotes = ({ title, context, citations }: DocumentPart, losses: Losses, keepsTitle = false): void => {
  if (title !== undefined && !keepsTitle) losses.lose('messages.document.title')
  if (context !== undefined) losses.lose('messages.document.context')
  if (citations) losses.lose('messages.document.citations')
}

export const loseDetail = ({ detail }: ImagePart, losses: Losses): void => {
  if (detail !== undefined && detail !== 'auto') losses.lose('messages.image.detail')
}
