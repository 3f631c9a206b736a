import { createHash } from 'node:crypto'
import type { KeptFiles } from '#server/relay/stored/kept-files.ts'
import type { Batch } from '../forms/batch-form.ts'
import type { BatchChunks, ResultKind } from '../stored/chunks.ts'

/** The same for each try: a file that was written before its batch ended is replaced. */
const fileIdOf = ({ object_id }: Batch, kind: ResultKind): string =>
  `file-${createHash('sha256').update(`${object_id} ${kind}`).digest('hex').slice(0, 32)}`

async function* bytesOf(first: string, rest: AsyncIterator<string>): AsyncGenerator<Buffer> {
  yield Buffer.from(first)
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield Buffer.from(next.value)
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
    bytesOf(first.value, texts),
  )
  return id
}
