import { usageStated } from '../../billing/declared/usage-stated.ts'
import { defined, type JsonObject, membersOf, objectsOf, textIn, textOf } from '../../dialects/conversation/json.ts'
import type { UnsupportedFields } from '../../dialects/conversation/unsupported-fields.ts'
import type { UpstreamError } from '../../dialects/dialect.ts'
import { nearestShape } from '../../dialects/media/picture-shapes.ts'
import {
  noPictures,
  onlyNew,
  onlyOne,
  type PicturesDialect,
  type PicturesRequest,
  pictureSettings,
  pictureUrl,
} from '../../dialects/media/pictures.ts'
import type { Provider } from '../provider.ts'
import { errorOf, errorWithCode } from './language.ts'
import { followTask, taskError } from './tasks.ts'

/** `ProviderCall.path` of picture requests. The model decides which service is called (`picturesService`). */
export const picturesPath = '/api/v1/services/aigc/text2image/image-synthesis'
const generationPath = '/api/v1/services/aigc/multimodal-generation/generation'

/**
 * True for models that draw in an asynchronous task, which is polled: Wan up to 2.5 and the open models
 * (alibabacloud.com/help/en/model-studio/text-to-image-v2-api-reference). Newer models answer at once.
 */
const isTask = (model: string): boolean => /^(wanx|wan2\.[0-5]-|flux|stable-diffusion)/.test(model)

/** Path of the service that draws with a model. */
export const picturesService = (model: string): string => (isTask(model) ? picturesPath : generationPath)

/** DashScope refuses to start a task without this header. */
export const picturesHeaders = (model: string): Record<string, string> =>
  isTask(model) ? { 'x-dashscope-async': 'enable' } : {}

/** The only sizes of the first Qwen-Image models (help.aliyun.com/zh/model-studio/qwen-image-api). */
const firstSizes = ['1328*1328', '1664*928', '1472*1104', '1104*1472', '928*1664'] as const
const hasFirstSizes = (model: string): boolean => /^qwen-image(-max|-plus)?(-20\d\d-\d\d-\d\d)?$/.test(model)

const sizeOf = ({ model, size }: PicturesRequest, unsupported: UnsupportedFields): string | undefined =>
  hasFirstSizes(model) ? nearestShape(size, firstSizes, unsupported) : size?.replace(/x/i, '*')

const settings: Readonly<Record<string, string>> = {
  prompt_extend: 'prompt_extend',
  seed: 'seed',
  watermark: 'watermark',
  style: 'style',
  negative_prompt: 'negative_prompt',
}

const parameters = (request: PicturesRequest, unsupported: UnsupportedFields): JsonObject => ({
  n: request.count,
  ...defined({ size: sizeOf(request, unsupported) }),
  ...pictureSettings(request, settings, unsupported),
})

/** In a task the negative prompt belongs to `input`, beside the prompt. */
const taskRequest = (request: PicturesRequest, unsupported: UnsupportedFields): JsonObject => {
  onlyNew(request)
  const { negative_prompt: negative, ...rest } = parameters(request, unsupported)
  return {
    model: request.model,
    input: { prompt: request.prompt, ...defined({ negative_prompt: negative }) },
    parameters: rest,
  }
}

const messageRequest = (request: PicturesRequest, unsupported: UnsupportedFields): JsonObject => {
  const { model, prompt, images } = request
  if (hasFirstSizes(model)) onlyOne(request, unsupported)
  const requestParameters = parameters(request, unsupported)
  const content = [...images.map((picture) => ({ image: pictureUrl(picture) })), { text: prompt }]
  return {
    model,
    input: { messages: [{ role: 'user', content }] },
    parameters: hasFirstSizes(model) ? { ...requestParameters, n: 1 } : requestParameters,
  }
}

const urlsInMessages = (output: JsonObject): readonly string[] =>
  objectsOf(output.choices)
    .flatMap(({ message }) => objectsOf(membersOf(message).content))
    .map(({ image }) => textOf(image))
    .filter((url) => url !== '')

const isDrawn = ({ url }: JsonObject): boolean => textOf(url) !== ''

const isUnderWay = ({ task_status: status }: JsonObject): boolean => status !== undefined && status !== 'SUCCEEDED'

/** An error only if all pictures failed: then that of the first one. */
const picturesError = (json: JsonObject): UpstreamError | undefined => {
  const output = membersOf(json.output)
  const failed = errorOf(json) ?? taskError(output)
  if (failed !== undefined || json.output === undefined || isUnderWay(output)) return failed
  const results = objectsOf(output.results)
  if (results.some(isDrawn) || urlsInMessages(output).length > 0) return undefined
  const [first] = results
  return first === undefined ? noPictures(undefined) : errorWithCode(textOf(first.code), textOf(first.message))
}

/** Pictures through DashScope's native API. The URLs in its answers expire after a day. */
const dashscopePictures: PicturesDialect = {
  write: (request, unsupported) =>
    isTask(request.model) ? taskRequest(request, unsupported) : messageRequest(request, unsupported),
  read(json) {
    const output = membersOf(json.output)
    const taskPictures = objectsOf(output.results)
      .filter(isDrawn)
      .map(({ url, actual_prompt: prompt }) => ({ url: textIn(url), prompt: textIn(prompt) }))
    const usage = usageStated('openai', json.usage)
    return { pictures: [...taskPictures, ...urlsInMessages(output).map((url) => ({ url }))], usage }
  },
  errorOf: picturesError,
  follow: followTask,
}

export const pictures: NonNullable<Provider['pictures']> = {
  path: picturesPath,
  edits: picturesPath,
  dialect: () => dashscopePictures,
}
