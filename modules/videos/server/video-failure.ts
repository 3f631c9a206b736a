import type { JobFailure } from '#server/relay/provider-jobs/fail-job.ts'
import type { VideoRow } from './video.ts'

/** A failed video as its row in the log shows it. */
export const videoFailure = (
  { model, public_id, duration_ms, size }: VideoRow,
  { code, message }: { readonly code: string; readonly message: string },
): JobFailure => ({
  model,
  code,
  message: message || code,
  other: { video: { id: public_id, seconds: duration_ms / 1000, size } },
})
