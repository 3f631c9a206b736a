import type { LinePlace } from '#server/relay/batches/lines/batch-lines.ts'
import { type AskParts, askProvider } from './ask-provider.ts'
import type { ListedBatch, ProviderKind, UnnamedBatches } from './kinds/provider-kind.ts'
import { ResultsUnread, resultLines, sourcesOf } from './result-lines.ts'

/** The end of a search for a batch; `open` where it may be one that has not ended yet, `unread` where the provider did not answer. */
export type SearchEnd = { readonly id: string } | 'none' | 'open' | 'unread'

export interface SoughtBatch {
  readonly kind: ProviderKind
  readonly unnamed: UnnamedBatches
  readonly mark: string
  /** Number of its lines. */
  readonly lines: number
  /** Unix seconds. */
  readonly submittedAt: number
}

export interface SearchParts {
  readonly place: LinePlace
  readonly asking: AskParts
  /** Those of these ids that batches of ours have at their providers. */
  readonly ofOurs: (ids: readonly string[]) => Promise<ReadonlySet<string>>
}

/** Seconds before and after the submission in which the provider may have made it, by its own clock: a submission takes up to ten minutes. */
const window = { before: 600, after: 1_500 }
/** Pages of the list. */
const mostPages = 50

/** The batches of the account that may be the sought one; undefined where they could not be listed. */
const candidates = async (
  { unnamed, lines, submittedAt }: SoughtBatch,
  { place, asking, ofOurs }: SearchParts,
): Promise<readonly ListedBatch[] | undefined> => {
  const found: ListedBatch[] = []
  let after: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await askProvider(place, unnamed.list(after), asking)
    if (answer.kind !== 'answered' || answer.status < 200 || answer.status > 299) return undefined
    const { batches, next } = unnamed.readList(answer.json)
    found.push(
      ...batches.filter(
        ({ createdAt, lines: count }) =>
          (count ?? lines) === lines &&
          createdAt >= submittedAt - window.before &&
          createdAt <= submittedAt + window.after,
      ),
    )
    const oldest = batches.at(-1)
    if (next === undefined || (oldest !== undefined && oldest.createdAt < submittedAt - window.before)) {
      const ours = await ofOurs(found.map(({ id }) => id))
      return found.filter(({ id }) => !ours.has(id))
    }
    after = next
  }
  return undefined
}

/** True where the first result of an ended batch has our mark. Throws ResultsUnread. */
const isSought = async (
  { id, look }: ListedBatch,
  { kind, unnamed, mark }: SoughtBatch,
  { place, asking }: SearchParts,
): Promise<boolean> => {
  const [source] = look.state === 'ended' ? sourcesOf(kind, id, look) : []
  if (source === undefined) return false
  // Each result of a batch has the same mark: one line is read, whatever its name.
  const first: ProviderKind = {
    ...kind,
    readResult: (result) => ({ kind: 'skipped', line: Number(unnamed.markOf(result) === mark) }),
  }
  for await (const { line } of resultLines({ ...source, kind: first }, place, asking)) return line === 1
  return false
}

/** Searches for a batch that has no name at its provider by the marks in its results, which are there when it has ended. Never rejects for what the provider does. */
export const findUnnamed = async (sought: SoughtBatch, parts: SearchParts): Promise<SearchEnd> => {
  const listed = await candidates(sought, parts)
  if (listed === undefined) return 'unread'
  try {
    for (const batch of listed) if (await isSought(batch, sought, parts)) return { id: batch.id }
  } catch (error) {
    if (error instanceof ResultsUnread) return 'unread'
    throw error
  }
  return listed.some(({ look }) => look.state === 'running') ? 'open' : 'none'
}
