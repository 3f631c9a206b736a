import type { Caption, OfferedCall } from '@tollgate/contract'
import { caption, embeddingsCaption, modelCaption, modelsCaption } from '../dialects/captions.ts'
import type { Dialect } from '../dialects/dialect.ts'

/** Captions of OpenAI's calls beside conversations. */
const captions: ReadonlyMap<string, Caption> = new Map([
  [
    'POST /v1/rerank',
    caption({ zh: '重排序', en: 'Rerank' }, { zh: '按相关性给文档排序', en: 'Ranks documents by relevance' }),
  ],
  [
    'POST /v2/rerank',
    caption(
      { zh: '重排序（Cohere）', en: 'Rerank, Cohere' },
      { zh: 'Cohere 客户端的接口', en: 'For clients of Cohere' },
    ),
  ],
  [
    'POST /v1/completions',
    caption({ zh: '文本补全', en: 'Completions' }, { zh: '旧式补全接口', en: 'Legacy text completion' }),
  ],
  ['POST /v1/embeddings', embeddingsCaption],
  [
    'POST /v1/moderations',
    caption({ zh: '内容审核', en: 'Moderations' }, { zh: '判断文本是否违规', en: 'Checks text for policy violations' }),
  ],
  [
    'POST /v1/images/generations',
    caption({ zh: '生成图片', en: 'Images' }, { zh: '按描述生成图片', en: 'From a description' }),
  ],
  [
    'POST /v1/images/edits',
    caption(
      { zh: '编辑图片', en: 'Edit images' },
      { zh: '按描述修改图片，可带蒙版', en: 'By description, with a mask' },
    ),
  ],
  [
    'POST /v1/images/variations',
    caption({ zh: '图片变体', en: 'Image variations' }, { zh: '一张图片的不同版本', en: 'Variations of an image' }),
  ],
  [
    'POST /v1/audio/speech',
    caption({ zh: '语音合成', en: 'Speech' }, { zh: '把文本读成语音', en: 'Reads a text aloud' }),
  ],
  [
    'POST /v1/audio/transcriptions',
    caption({ zh: '语音转写', en: 'Transcriptions' }, { zh: '把语音写成文本', en: 'Speech to text' }),
  ],
  [
    'POST /v1/audio/translations',
    caption({ zh: '语音翻译', en: 'Audio translations' }, { zh: '把语音译成英文文本', en: 'Speech to English text' }),
  ],
  [
    'GET /v1/realtime',
    caption(
      { zh: '实时对话', en: 'Realtime' },
      { zh: '通过 WebSocket 进行语音与文本对话', en: 'Voice and text over a WebSocket' },
    ),
  ],
  ['GET /v1/models', modelsCaption],
  ['GET /v1/models/{model}', modelCaption],
  [
    'POST /v1/engines/{model}/embeddings',
    caption(
      { zh: '向量（旧式路径）', en: 'Embeddings, old path' },
      { zh: '模型名写在路径里的旧式接口', en: 'For clients that put the model in the path' },
    ),
  ],
])

const taskCaption = caption(
  { zh: '任务进度', en: 'Task' },
  { zh: '查询任务的状态与结果', en: 'Status and result of a task' },
)

const offeredCall = (call: string, api: string, named: Caption | undefined): OfferedCall => {
  const [method = '', path = ''] = call.split(' ')
  return { method, path, dialect: api, ...(named === undefined ? {} : { caption: named }) }
}

/** The calls that begin and follow a task. */
const taskCalls: readonly OfferedCall[] = [
  offeredCall(
    'POST /mj/submit/imagine',
    'Midjourney',
    caption(
      { zh: '绘图任务', en: 'Drawing' },
      { zh: '提交绘图，放大、变换与局部重绘', en: 'Submit, upscale, vary, inpaint' },
    ),
  ),
  offeredCall('GET /mj/task/{id}/fetch', 'Midjourney', taskCaption),
  offeredCall(
    'POST /suno/submit/music',
    'Suno',
    caption({ zh: '音乐任务', en: 'Music' }, { zh: '按描述或歌词生成音乐', en: 'From a description or lyrics' }),
  ),
  offeredCall('GET /suno/fetch/{id}', 'Suno', taskCaption),
]

/** The calls of the home page: those of the dialects, OpenAI's `others`, those of modules, and tasks. */
export const offeredCalls = (
  dialects: readonly Dialect[],
  others: readonly string[],
  modules: readonly OfferedCall[],
): readonly OfferedCall[] => [
  ...dialects.flatMap(({ paths }) => paths.offered.map(([call, named]) => offeredCall(call, paths.api, named))),
  ...others.map((call) => offeredCall(call, 'OpenAI', captions.get(call))),
  ...modules,
  ...taskCalls,
]
