/** Type of an imported channel here, and the address that its type had in the other program. */
export interface TypeHere {
  readonly type: number
  /** The address of channels that have none of their own. */
  readonly baseUrl?: string
  /** The address is the whole one up to the path, so that `/chat/completions` follows it without `/v1`. */
  readonly isWithoutVersion?: true
}

const same = (...types: readonly number[]): [number, TypeHere][] => types.map((type) => [type, { type }])

/** OpenAI's API at another address. */
const openaiAt = (baseUrl: string): TypeHere => ({ type: 1, baseUrl })

/** The numbers of new-api are those of this gateway; later ones are not built here. */
export const newApiTypes: ReadonlyMap<number, TypeHere> = new Map<number, TypeHere>([
  ...same(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 31),
  ...same(33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 50, 52),
  // Videos of Volcengine, and of OpenAI, are served by the channels of these.
  [54, { type: 45 }],
  [55, { type: 1 }],
])

/** one-api gave other numbers to what came after the two programs parted. */
export const oneApiTypes: ReadonlyMap<number, TypeHere> = new Map<number, TypeHere>([
  ...same(1, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 22, 23, 24, 25, 31, 33),
  [2, openaiAt('https://oa.api2d.net')],
  [4, openaiAt('https://api.closeai-proxy.xyz')],
  [5, openaiAt('https://api.openai-sb.com')],
  [16, { type: 26 }],
  [26, openaiAt('https://api.baichuan-ai.com')],
  [27, { type: 35 }],
  [28, { type: 42 }],
  [29, openaiAt('https://api.groq.com/openai')],
  [30, { type: 4 }],
  [32, openaiAt('https://api.stepfun.com')],
  [35, { type: 34 }],
  [36, { type: 43 }],
  [37, { type: 39 }],
  [39, openaiAt('https://api.together.xyz')],
  [40, { type: 45 }],
  [41, openaiAt('https://api.novita.ai/v3/openai')],
  [42, { type: 41 }],
  [44, { type: 40 }],
  [45, { type: 48 }],
  [47, { type: 46 }],
  [48, openaiAt('https://spark-api-open.xf-yun.com')],
  [49, openaiAt('https://dashscope.aliyuncs.com/compatible-mode')],
  [50, { type: 1, isWithoutVersion: true }],
  [51, { type: 1, baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai', isWithoutVersion: true }],
])
