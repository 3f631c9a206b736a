import type { JobEnd } from '#server/jobs/job-ends.ts'
import type { Batch } from '../forms/batch-form.ts'
import { forms } from '../forms/forms.ts'
import type { EndState } from './batch-store.ts'

/** The end of a batch, for those who wait for it. */
export const batchEnd = (batch: Batch, outcome: EndState): JobEnd => ({
  kind: 'batch',
  outcome,
  id: forms[batch.form].beginning + batch.object_id,
  maker: { userId: batch.user_id, projectId: batch.project_id, memberId: batch.member_id },
})
