import type { AnswerPiece } from '../conversation/message.ts'
import type { CallKind } from './call-kinds.ts'
import { readAnswer, refusal } from './refusal.ts'

interface Picture {
  b64_json?: string
  url?: string
  revised_prompt?: string
}

interface WholeAnswer {
  data?: (Picture | null)[]
  usage?: { prompt_tokens?: number; completion_tokens?: number; input_tokens?: number; output_tokens?: number }
}

/** The first characters of a picture's base64, by its format; PNG where none fits. */
const formats: readonly (readonly [start: string, type: string])[] = [
  ['/9j/', 'jpeg'],
  ['UklGR', 'webp'],
]

const addressOf = ({ b64_json: data, url }: Picture): string | undefined => {
  if (!data) return url
  const type = formats.find(([start]) => data.startsWith(start))?.[1] ?? 'png'
  return `data:image/${type};base64,${data}`
}

const picturePieces = ({ data = [] }: WholeAnswer): AnswerPiece[] => {
  const pictures = data.filter((picture) => picture !== null)
  const [revised] = pictures.flatMap(({ revised_prompt: prompt }) => prompt ?? [])
  return [
    ...pictures.flatMap((picture): AnswerPiece[] => {
      const address = addressOf(picture)
      return address === undefined ? [] : [{ kind: 'image', text: address }]
    }),
    ...(revised === undefined ? [] : [{ kind: 'text' as const, text: revised }]),
  ]
}

const usagePieces = ({ usage }: WholeAnswer): AnswerPiece[] => {
  const input = usage?.prompt_tokens ?? usage?.input_tokens
  const output = usage?.completion_tokens ?? usage?.output_tokens ?? 0
  return input === undefined ? [] : [{ kind: 'usage', usage: { input, output } }]
}

/** Numbers of a vector that are shown. */
const mostNumbers = 8

/** A long vector as its beginning, with how many numbers are left out. */
const shortened = (_key: string, value: unknown): unknown =>
  Array.isArray(value) && value.length > mostNumbers && value.every((entry) => typeof entry === 'number')
    ? [...value.slice(0, mostNumbers), `… +${value.length - mostNumbers}`]
    : value

const jsonPiece = (answer: unknown): AnswerPiece => ({
  kind: 'text',
  text: `\`\`\`json\n${JSON.stringify(answer, shortened, 2)}\n\`\`\``,
})

const asData = (sound: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(sound)
  })

/** The pieces of an answer that comes as a whole: pictures, sound, or the JSON itself. Throws ApiError for a refusal. */
export const wholePieces = async (kind: Exclude<CallKind, 'chat'>, response: Response): Promise<AnswerPiece[]> => {
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  if (kind === 'speech') {
    if (isJson) throw await refusal(response)
    return [{ kind: 'sound', text: await asData(await response.blob()) }]
  }
  const answer = await readAnswer<WholeAnswer>(response)
  return [...(kind === 'image' ? picturePieces(answer) : [jsonPiece(answer)]), ...usagePieces(answer)]
}
