import {
  browseOrganisationVideos,
  browseOwnVideos,
  browseVideos,
  countVideos,
  deleteOwnVideo,
  getOwnVideoContent,
  getVideoContent,
} from '@tollgate/contract'
import type { TaskReader } from '#server/db/task-lists.ts'
import type { Audit } from '#server/features/audit/audit.ts'
import { actorOf } from '#server/http/actor.ts'
import { type OrganisationTasks, organisationPage } from '#server/http/organisation-tasks.ts'
import type { FileAnswer, On } from '#server/http/route.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { ProviderJobs } from '#server/relay/provider-jobs/provider-jobs.ts'
import type { Contents } from '../content.ts'
import { removeVideo } from '../remove-video.ts'
import type { VideoStore } from '../store.ts'
import type { VideoRow } from '../video.ts'
import { ContentStream } from './content-stream.ts'
import type { VideoReads } from './video-reads.ts'

export interface VideoConsoleParts {
  readonly reads: VideoReads
  readonly store: Pick<VideoStore, 'remove'>
  readonly contents: Contents
  readonly jobs: () => ProviderJobs
  readonly audit: Audit
  readonly organisationTasks: OrganisationTasks
}

/** Calls of the console about videos. */
export const videoConsole = (on: On, parts: VideoConsoleParts): void => {
  const { reads, store, contents, jobs, audit, organisationTasks } = parts

  const found = async (reader: TaskReader, id: number): Promise<VideoRow> => {
    const row = await reads.find(reader, id)
    if (row === undefined) throw new AppError('not_found')
    return row
  }

  const contentOf = async (row: VideoRow): Promise<FileAnswer> => {
    if (row.is_open === 1) throw new AppError('video_not_finished', { params: { id: row.public_id } })
    if (row.state !== 'completed') throw new AppError('video_without_content', { params: { id: row.public_id } })
    const stream = new ContentStream()
    const sent = contents.send(row, { variant: 'video', range: undefined }, stream, jobs())
    // A later failure breaks the stream off, and is thrown where it is read.
    const failure = sent.then(
      () => undefined,
      (error: unknown) => {
        stream.fail()
        return error
      },
    )
    const type = await stream.type
    if (type === undefined) throw await failure
    return { name: `${row.public_id}.mp4`, type, parts: stream.read() }
  }

  on(browseVideos, async ({ query }) => ({ data: await reads.browse({ all: true }, query) }))
  on(browseOwnVideos, async ({ query, caller }) => ({ data: await reads.browse({ userId: caller.id }, query) }))
  on(browseOrganisationVideos, organisationPage(organisationTasks, reads))
  on(countVideos, async ({ query: { facet, ...query } }) => ({ data: await reads.facet(facet, query) }))
  on(getVideoContent, async ({ params }) => ({ file: await contentOf(await found({ all: true }, params.id)) }))
  on(getOwnVideoContent, async ({ params, caller }) => ({
    file: await contentOf(await found({ userId: caller.id }, params.id)),
  }))
  on(deleteOwnVideo, async (call) => {
    const row = await found({ userId: call.caller.id }, call.params.id)
    if (row.is_open === 1) throw new AppError('video_not_finished', { params: { id: row.public_id } })
    await removeVideo(row, { store, jobs: jobs() })
    const { id, username, ip } = actorOf(call)
    await audit.record({
      actor: { id, username },
      action: 'video.delete',
      object: 'video',
      objectId: row.public_id,
      before: {},
      after: {},
      ip,
    })
    return {}
  })
}
