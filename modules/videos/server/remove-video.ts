import type { ProviderJobs } from '#server/relay/provider-jobs/provider-jobs.ts'
import { askProvider, placeOf } from './ask-provider.ts'
import type { VideoStore } from './store.ts'
import type { VideoRow } from './video.ts'

const removeTimeoutMs = 15_000

/** Deletes a video that has ended, at its provider, too, where the provider can: a copy that stays there is not served any more. */
export const removeVideo = async (
  row: VideoRow,
  { store, jobs }: { readonly store: Pick<VideoStore, 'remove'>; readonly jobs: ProviderJobs },
): Promise<void> => {
  const place = placeOf(row, jobs)
  const request = row.upstream_id === '' ? undefined : place?.provider.remove?.(row.upstream_id)
  if (place !== undefined && request !== undefined)
    await askProvider(place, request, { network: jobs, timeoutMs: removeTimeoutMs }).catch(() => {})
  await store.remove(row.id)
}
