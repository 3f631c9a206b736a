import type { EndedJob } from '#server/jobs/job-ends.ts'
import { anthropicForm } from './anthropic.ts'
import type { Batch, BatchForm } from './batch-form.ts'
import { geminiForm } from './gemini.ts'
import { openaiForm } from './openai.ts'

/** The forms of batches by their names. */
export const forms: Readonly<Record<Batch['form'], BatchForm>> = {
  openai: openaiForm,
  anthropic: anthropicForm,
  gemini: geminiForm,
}

type BatchEnd = Extract<EndedJob, { kind: 'batch' }>

/** The end of a batch, for those who wait for it. */
export const batchEnd = (batch: Batch, outcome: BatchEnd['outcome']): BatchEnd => ({
  kind: 'batch',
  outcome,
  id: forms[batch.form].beginning + batch.object_id,
  maker: { userId: batch.user_id, projectId: batch.project_id, memberId: batch.member_id },
})
