/** Dollars per million tokens, as price pages state them. */
interface SoundPrice {
  readonly text: number
  /** Absent for models that do not listen. */
  readonly audioIn?: number
  /** Absent for models that do not speak. */
  readonly audioOut?: number
}

const named = (models: readonly string[], price: SoundPrice): (readonly [string, SoundPrice])[] =>
  models.map((model) => [model, price])

/**
 * developers.openai.com/api/docs/pricing and the pages of the models, ai.google.dev/gemini-api/docs/pricing; read in November
 * 2026, of withdrawn models the last price.
 */
const prices: readonly (readonly [string, SoundPrice])[] = [
  ...named(['gpt-audio', 'gpt-audio-2025-08-28', 'gpt-audio-1.5', 'gpt-audio-1.5-2026-02-23'], {
    text: 2.5,
    audioIn: 32,
    audioOut: 64,
  }),
  ...named(['gpt-audio-mini', 'gpt-audio-mini-2025-10-06', 'gpt-audio-mini-2025-12-15'], {
    text: 0.6,
    audioIn: 10,
    audioOut: 20,
  }),
  ...named(
    [
      'gpt-4o-audio-preview',
      'gpt-4o-audio-preview-2024-10-01',
      'gpt-4o-audio-preview-2024-12-17',
      'gpt-4o-audio-preview-2025-06-03',
    ],
    { text: 2.5, audioIn: 40, audioOut: 80 },
  ),
  ...named(['gpt-4o-mini-audio-preview', 'gpt-4o-mini-audio-preview-2024-12-17'], {
    text: 0.15,
    audioIn: 10,
    audioOut: 20,
  }),
  ...named(
    [
      'gpt-realtime',
      'gpt-realtime-2025-08-28',
      'gpt-realtime-1.5',
      'gpt-realtime-1.5-2026-02-23',
      'gpt-realtime-2',
      'gpt-realtime-2.1',
    ],
    { text: 4, audioIn: 32, audioOut: 64 },
  ),
  ...named(
    ['gpt-realtime-mini', 'gpt-realtime-mini-2025-10-06', 'gpt-realtime-mini-2025-12-15', 'gpt-realtime-2.1-mini'],
    { text: 0.6, audioIn: 10, audioOut: 20 },
  ),
  ...named(['gpt-4o-realtime-preview', 'gpt-4o-realtime-preview-2024-12-17', 'gpt-4o-realtime-preview-2025-06-03'], {
    text: 5,
    audioIn: 40,
    audioOut: 80,
  }),
  ...named(['gpt-4o-realtime-preview-2024-10-01'], { text: 5, audioIn: 100, audioOut: 200 }),
  ...named(['gpt-4o-mini-realtime-preview', 'gpt-4o-mini-realtime-preview-2024-12-17'], {
    text: 0.6,
    audioIn: 10,
    audioOut: 20,
  }),
  ...named(['gpt-4o-transcribe', 'gpt-4o-transcribe-diarize'], { text: 2.5, audioIn: 2.5 }),
  ...named(['gpt-4o-mini-transcribe', 'gpt-4o-mini-transcribe-2025-03-20', 'gpt-4o-mini-transcribe-2025-12-15'], {
    text: 1.25,
    audioIn: 1.25,
  }),
  ...named(['gpt-4o-mini-tts', 'gpt-4o-mini-tts-2025-03-20', 'gpt-4o-mini-tts-2025-12-15'], {
    text: 0.6,
    audioOut: 12,
  }),
  ...named(['gemini-2.0-flash', 'gemini-2.0-flash-001'], { text: 0.1, audioIn: 0.7 }),
  ...named(['gemini-2.5-flash', 'gemini-2.5-flash-preview-09-2025', 'gemini-2.5-flash-image'], {
    text: 0.3,
    audioIn: 1,
  }),
  ...named(['gemini-2.5-flash-lite', 'gemini-2.5-flash-lite-preview-09-2025'], { text: 0.1, audioIn: 0.3 }),
  ...named(['gemini-2.5-pro'], { text: 1.25, audioIn: 1.25 }),
  ...named(['gemini-3-flash-preview'], { text: 0.5, audioIn: 1 }),
  ...named(['gemini-3.1-flash-lite', 'gemini-3.1-flash-lite-preview'], { text: 0.25, audioIn: 0.5 }),
  ...named(['gemini-3-pro-preview', 'gemini-3.1-pro-preview'], { text: 2, audioIn: 2 }),
  ...named(['gemini-3.5-flash'], { text: 1.5, audioIn: 1.5 }),
  ...named(['gemini-2.5-flash-preview-tts'], { text: 0.5, audioOut: 10 }),
  ...named(['gemini-2.5-pro-preview-tts', 'gemini-3.1-flash-tts-preview'], { text: 1, audioOut: 20 }),
  ...named(['gemini-3.8-flash-tts'], { text: 0.5, audioOut: 9 }),
  ...named(['gemini-3.8-flash-lite-tts'], { text: 0.5, audioOut: 6 }),
  ...named(['gemini-embedding-2', 'gemini-embedding-2-preview'], { text: 0.2, audioIn: 6.5 }),
]

/** Rounded to fifteen digits, so that 16 is not 15.999999999999998. */
const over = (price: number, base: number): number => Number((price / base).toPrecision(15))

/** Model name → ratio of an audio prompt token to a text prompt token; 1 when missing. */
export const audioRatios: Readonly<Record<string, number>> = Object.fromEntries(
  prices.flatMap(([model, { text, audioIn }]) => (audioIn === undefined ? [] : [[model, over(audioIn, text)]])),
)

/**
 * Model name → ratio of an audio completion token to an audio prompt token, or to a text prompt token where the model does not
 * listen. When missing, sound in answers costs what sound in prompts or text in answers costs, whichever is dearer.
 */
export const audioCompletionRatios: Readonly<Record<string, number>> = Object.fromEntries(
  prices.flatMap(([model, { text, audioIn = text, audioOut }]) =>
    audioOut === undefined ? [] : [[model, over(audioOut, audioIn)]],
  ),
)
