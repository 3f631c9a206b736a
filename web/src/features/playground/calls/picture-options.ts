/** Options of a picture model beside the prompt (platform.openai.com/docs/api-reference/images/create). */
export interface PictureOptions {
  /** Undefined where the sizes are not known: then the person writes one. */
  readonly sizes?: readonly string[]
  /** Empty for models that know no quality. */
  readonly qualities: readonly string[]
  /** How many pictures one call may draw. */
  readonly most: number
  /** True if the model sends addresses unless it is asked for the picture itself. */
  readonly sendsAddresses?: true
}

const known: readonly (readonly [RegExp, PictureOptions])[] = [
  [
    /^(gpt-image|chatgpt-image)/,
    { sizes: ['1024x1024', '1536x1024', '1024x1536'], qualities: ['low', 'medium', 'high'], most: 10 },
  ],
  [
    /^dall-e-3/,
    {
      sizes: ['1024x1024', '1792x1024', '1024x1792'],
      qualities: ['standard', 'hd'],
      most: 1,
      sendsAddresses: true,
    },
  ],
  [/^dall-e-2/, { sizes: ['256x256', '512x512', '1024x1024'], qualities: [], most: 10, sendsAddresses: true }],
]

const others: PictureOptions = { qualities: [], most: 10 }

/** The options of a model; the name may stand behind a prefix such as `openai/`. */
export const pictureOptions = (model: string): PictureOptions => {
  const name = model.slice(model.lastIndexOf('/') + 1)
  return known.find(([names]) => names.test(name))?.[1] ?? others
}
