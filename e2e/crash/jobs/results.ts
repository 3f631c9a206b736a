import type { JobLoad } from './load.ts'
import { linesOfBatch } from './load.ts'
import { answerCost, batchedCost, batchedText, batchModel, batchModelCost } from './provider.ts'

/** Results as clients read them at the end. */
export interface ReadResults {
  readonly problems: readonly string[]
  /** The cost of each line of a batch, by the id of its charge: by the price of the answer that its client has. */
  readonly lineCosts: ReadonlyMap<string, number>
}

interface ResultLine {
  readonly custom_id?: string
  readonly response?: {
    readonly request_id: string
    readonly body: {
      readonly model: string
      readonly choices: readonly [{ readonly message: { readonly content: string } }]
    }
  }
}

const costOf = ({ response }: ResultLine): number | undefined => {
  if (response === undefined) return undefined
  const { model, choices } = response.body
  if (model !== batchModel) return answerCost
  return choices[0].message.content === batchedText ? batchedCost : batchModelCost
}

/** Reads the results of every acknowledged job as its client does, and of these other batches. */
export const readResults = async (
  url: string,
  key: string,
  { acknowledged, batches }: { readonly acknowledged: JobLoad['acknowledged']; readonly batches: readonly string[] },
  digestOf: (bytes: Uint8Array) => string,
): Promise<ReadResults> => {
  const problems: string[] = []
  const lineCosts = new Map<string, number>()
  const read = async (path: string): Promise<Response> => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
    if (!answer.ok) problems.push(`${path}: ${answer.status} ${(await answer.clone().text()).slice(0, 200)}`)
    return answer
  }
  for (const id of batches) {
    const batch = (await (await read(`/v1/batches/${id}`)).json()) as { output_file_id?: string }
    const text = await (await read(`/v1/files/${batch.output_file_id}/content`)).text()
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ResultLine)
    const names = new Set(lines.map(({ custom_id }) => custom_id))
    if (lines.length !== linesOfBatch || names.size !== linesOfBatch)
      problems.push(`the batch ${id} has the results ${[...names].join()}`)
    for (const line of lines) {
      const cost = costOf(line)
      if (cost === undefined) problems.push(`the line ${line.custom_id} of ${id} has no answer`)
      else if (line.response) lineCosts.set(line.response.request_id, cost)
    }
  }
  for (const { id } of acknowledged.answers) {
    const { status, output } = (await (await read(`/v1/responses/${id}`)).json()) as {
      readonly status?: string
      readonly output?: readonly unknown[]
    }
    if (status !== 'completed' || output?.length !== 1) problems.push(`the answer ${id} is ${status}`)
  }
  for (const { id, digest } of acknowledged.files) {
    const bytes = new Uint8Array(await (await read(`/v1/files/${id}/content`)).arrayBuffer())
    if (digestOf(bytes) !== digest) problems.push(`the file ${id} has other bytes than were sent`)
  }
  return { problems, lineCosts }
}
