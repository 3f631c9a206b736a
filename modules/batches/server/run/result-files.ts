import { createHash } from 'node:crypto'
import type { KeptFiles } from '#server/relay/stored/kept-files.ts'
import type { Batch } from '../forms/batch-form.ts'
import type { BatchChunks, ResultKind } from '../stored/chunks.ts'

const chunkBytes = 64 * 1024

const isFirstOfPair = (unit: number): boolean => unit >= 0xd8_00 && unit <= 0xdb_ff

/**
 * Texts in UTF-8, for a reader that copies each chunk before it asks for the next: all chunks are the same memory. New ones would
 * be garbage that the process collects late.
 */
export async function* utf8Chunks(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const chunk = new Uint8Array(chunkBytes)
  for await (const text of texts) {
    for (let at = 0; at < text.length; ) {
      const end = at + chunkBytes
      const isInPair = end < text.length && isFirstOfPair(text.charCodeAt(end - 1))
      const { read, written } = encoder.encodeInto(text.slice(at, isInPair ? end - 1 : end), chunk)
      yield chunk.subarray(0, written)
      at += read
    }
  }
}

/** The same for each try: a file that was written before its batch ended is replaced. */
const fileIdOf = ({ object_id }: Batch, kind: ResultKind): string =>
  `file-${createHash('sha256').update(`${object_id} ${kind}`).digest('hex').slice(0, 32)}`

/** The texts of an iterator whose first one is read already. */
async function* textsFrom(first: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield first
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

/** Stores the results of a batch as a file of its maker; answers its id, empty where there are none. */
export const writeResultFile = async (
  { keptFiles, chunks }: { readonly keptFiles: Pick<KeptFiles, 'create'>; readonly chunks: BatchChunks },
  batch: Batch,
  kind: ResultKind,
): Promise<string> => {
  const texts = chunks.results(batch.id, kind)[Symbol.asyncIterator]()
  const first = await texts.next()
  if (first.done === true) return ''
  const { id } = await keptFiles.create(
    {
      id: fileIdOf(batch, kind),
      maker: {
        userId: batch.user_id,
        tokenId: batch.token_id,
        projectId: batch.project_id,
        memberId: batch.member_id,
      },
      filename: `batch_${batch.object_id}_${kind}.jsonl`,
      purpose: 'batch_output',
      contentType: 'application/jsonl',
    },
    utf8Chunks(textsFrom(first.value, texts)),
  )
  return id
}
