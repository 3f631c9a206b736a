import type { Receipt } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import type { JoinedModule } from '#server/app/modules/module-kit.ts'
import type { JobRow } from '#server/jobs/row-claims.ts'
import type { JobFailure } from '#server/relay/provider-jobs/fail-job.ts'
import type { ChargedJob, JobOwner } from '#server/relay/provider-jobs/ports.ts'
import type { VideoPlace } from './providers/video-provider.ts'

export type VideoRow = JobRow<'video_jobs'>

/** A row as the job that its charge is made of. */
export interface VideoJob extends ChargedJob {
  readonly row: VideoRow
}

const noOwner: JobOwner = { username: '', tokenName: '', tokenUnlimited: true, group: '', ip: '', path: '' }

const jsonIn = <T>(text: string): T | undefined => (text === '' ? undefined : ((parseJson(text) as T) ?? undefined))

export const jobOf = (row: VideoRow): VideoJob => ({
  row,
  id: row.id,
  // Drawn at random when it was begun, and the same on every node.
  movement: row.public_id,
  channelId: row.channel_id,
  maker: { userId: row.user_id, tokenId: row.token_id, projectId: row.project_id, memberId: row.member_id },
  owner: jsonIn<JobOwner>(row.owner) ?? noOwner,
  held: row.held,
})

export const receiptIn = (text: string): Receipt | undefined => jsonIn<Receipt>(text)

/** UTF-16 units of an address of content with its signature. */
const longestPlace = 16_384

/** False for an address that is too long to be stored. */
export const isKeepable = (place: VideoPlace): boolean => JSON.stringify(place).length <= longestPlace

export const placeIn = ({ result }: Pick<VideoRow, 'result'>): VideoPlace => jsonIn<VideoPlace>(result) ?? {}

export type VideoRoute = NonNullable<JoinedModule['calls']>[number]

/** A client's call that this module answers. */
export type VideoCall = Parameters<VideoRoute['answer']>[0]

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
