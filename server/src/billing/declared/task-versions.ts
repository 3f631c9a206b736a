/**
 * Members of a task's body that choose which version of a service's model works on it, and the versions that it takes unasked: services price
 * some versions apart, though the task is paid for by its action. Names are compared without regard to case and underscores.
 */
export interface DeclaredVersions {
  /** Address of the documentation. */
  readonly source: string
  readonly members: readonly string[]
  readonly usual: ReadonlySet<string>
}

export const declaredVersions: Readonly<Record<'midjourney' | 'suno', DeclaredVersions>> = {
  midjourney: {
    source: 'github.com/trueai-org/midjourney-proxy, SubmitImagineDTO.botType',
    members: ['botType', 'model', 'version'],
    usual: new Set(['', 'MID_JOURNEY', 'mid_journey']),
  },
  suno: {
    source: 'github.com/Suno-API/Suno-API, SubmitSongReq.mv; docs.sunoapi.org/suno-api/generate-music, model',
    members: ['mv', 'model', 'model_version', 'version'],
    usual: new Set(['', 'chirp-v3-0']),
  },
}
