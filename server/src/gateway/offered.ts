import type { Caption, OfferedCall } from '@tollgate/contract'
import { caption, embeddingsCaption, modelCaption, modelsCaption } from '../dialects/captions.ts'
import type { Dialect } from '../dialects/dialect.ts'

/** Captions of OpenAI's calls beside conversations. */
const captions: ReadonlyMap<string, Caption> = new Map([
  ['POST /v1/rerank', caption(['重排序', 'Rerank'], ['按相关性给文档排序', 'Documents by relevance'])],
  [
    'POST /v2/rerank',
    caption(['重排序（Cohere）', 'Rerank, Cohere'], ['Cohere 客户端的接口', 'For clients of Cohere']),
  ],
  ['POST /v1/completions', caption(['文本补全', 'Completions'], ['旧式补全接口', 'Text completion of older clients'])],
  ['POST /v1/embeddings', embeddingsCaption],
  [
    'POST /v1/moderations',
    caption(['内容审核', 'Moderations'], ['判断文本是否违规', 'Whether a text breaks the rules']),
  ],
  ['POST /v1/images/generations', caption(['生成图片', 'Images'], ['按描述生成图片', 'From a description'])],
  [
    'POST /v1/images/edits',
    caption(['编辑图片', 'Edit images'], ['按描述修改图片，可带蒙版', 'By description, with a mask']),
  ],
  [
    'POST /v1/images/variations',
    caption(['图片变体', 'Image variations'], ['一张图片的不同版本', 'Other versions of a picture']),
  ],
  ['POST /v1/audio/speech', caption(['语音合成', 'Speech'], ['把文本读成语音', 'Reads a text aloud'])],
  ['POST /v1/audio/transcriptions', caption(['语音转写', 'Transcriptions'], ['把语音写成文本', 'Speech to text'])],
  [
    'POST /v1/audio/translations',
    caption(['语音翻译', 'Audio translations'], ['把语音译成英文文本', 'Speech to English text']),
  ],
  [
    'GET /v1/realtime',
    caption(['实时对话', 'Realtime'], ['通过 WebSocket 进行语音与文本对话', 'Voice and text over a WebSocket']),
  ],
  ['GET /v1/models', modelsCaption],
  ['GET /v1/models/{model}', modelCaption],
  [
    'POST /v1/engines/{model}/embeddings',
    caption(
      ['向量（旧式路径）', 'Embeddings, old path'],
      ['模型名写在路径里的旧式接口', 'For clients that name the model in the path'],
    ),
  ],
])

const taskCaption = caption(['任务进度', 'Task'], ['查询任务的状态与结果', 'How it is and what came of it'])

const offeredCall = (call: string, api: string, named: Caption | undefined): OfferedCall => {
  const [method = '', path = ''] = call.split(' ')
  return { method, path, dialect: api, ...(named === undefined ? {} : { caption: named }) }
}

/** The calls that begin and follow a task. */
const taskCalls: readonly OfferedCall[] = [
  offeredCall(
    'POST /mj/submit/imagine',
    'Midjourney',
    caption(['绘图任务', 'Drawing'], ['提交绘图，放大、变换与局部重绘', 'Draw, upscale, vary, repaint']),
  ),
  offeredCall('GET /mj/task/{id}/fetch', 'Midjourney', taskCaption),
  offeredCall(
    'POST /suno/submit/music',
    'Suno',
    caption(['音乐任务', 'Music'], ['按描述或歌词生成音乐', 'From a description or lyrics']),
  ),
  offeredCall('GET /suno/fetch/{id}', 'Suno', taskCaption),
]

/** The calls of the home page: those of the dialects, OpenAI's `others`, and tasks. */
export const offeredCalls = (dialects: readonly Dialect[], others: readonly string[]): readonly OfferedCall[] => [
  ...dialects.flatMap(({ paths }) => paths.offered.map(([call, named]) => offeredCall(call, paths.api, named))),
  ...others.map((call) => offeredCall(call, 'OpenAI', captions.get(call))),
  ...taskCalls,
]
