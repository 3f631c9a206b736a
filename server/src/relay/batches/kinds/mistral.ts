import { numberIn, textOf } from '../../../dialects/conversation/json.ts'
import { at, type BatchKind } from './batch-kind.ts'
import { httpLine, nonEmpty } from './openai.ts'

const finalStates: ReadonlySet<string> = new Set(['SUCCESS', 'FAILED', 'TIMEOUT_EXCEEDED', 'CANCELLED'])

/** docs.mistral.ai/api/#tag/batch */
export const mistralBatches: BatchKind = {
  name: 'mistral',
  collection: 'batch_jobs',
  stateOf: (job) => ({
    isFinal: finalStates.has(textOf(job.status)),
    done: numberIn(job.succeeded_requests),
    files: nonEmpty(job.output_file),
    usage: undefined,
    model: textOf(job.model) || undefined,
  }),
  objectAt: (id, { prefix }) => `${prefix}/batch/jobs/${encodeURIComponent(id)}?inline=true`,
  inside: 'outputs',
  linesAt: (_, address, { files }) => files.map((file) => at(address, `files/${encodeURIComponent(file)}/content`)),
  lineOf: httpLine,
}
