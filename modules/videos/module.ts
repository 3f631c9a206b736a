import { client, gateway } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Videos at the gateway's own paths: made by any provider that has them, charged when they are done. */
export const module = {
  areas: [['/api/video', 'logs']],
  ownAreas: [['/api/video', 'own_logs']],
  smallTables: ['video_jobs'],
  logEvents: {
    video_round_failed: 'Videos could not be looked for, or their holds not be renewed; it is tried again.',
    video_not_read: 'A provider did not say what became of a video; it is asked again.',
    video_not_settled: 'A video could not be charged or closed; it is tried again.',
    video_not_written: 'A video that a provider has accepted could not be written to the database; it is tried again.',
    video_submission_unknown:
      'A provider may have begun a video whose answer did not come; it is free for its owner, and the provider may bill it.',
  },
  errors: {
    video_parameter_invalid: client(400, '视频参数 {name} 无效：{detail}', 'Invalid {name} of a video: {detail}'),
    video_unsupported: client(400, '模型 {model} 的渠道不支持 {name}', 'No channel of model {model} supports {name}'),
    video_not_finished: client(409, '视频 {id} 尚未完成', 'Video {id} is not finished'),
    video_without_content: client(404, '视频 {id} 没有可下载的内容', 'Video {id} has no content to download'),
    video_content_failed: gateway(
      502,
      '无法从上游下载视频',
      'The video could not be downloaded from its provider',
      502,
    ),
  },
} as const satisfies ModuleData
