import type { JoinedModule } from '#server/app/modules/module-kit.ts'

export type VideoRoute = NonNullable<JoinedModule['calls']>[number]

/** A client's call that this module answers. */
export type VideoCall = Parameters<VideoRoute['answer']>[0]
