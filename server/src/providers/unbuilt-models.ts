/** Channel type → names offered when a channel of it is made. */
export const unbuiltModels: Readonly<Record<number, readonly string[]>> = {
  2: ['mj_imagine', 'mj_variation', 'mj_reroll', 'mj_blend', 'mj_upscale', 'mj_describe', 'mj_uploads'],
  5: [
    'swap_face',
    'mj_imagine',
    'mj_variation',
    'mj_reroll',
    'mj_blend',
    'mj_upscale',
    'mj_describe',
    'mj_zoom',
    'mj_shorten',
    'mj_modal',
    'mj_inpaint',
    'mj_custom_zoom',
    'mj_high_variation',
    'mj_low_variation',
    'mj_pan',
    'mj_uploads',
  ],
  36: ['suno_music', 'suno_lyrics'],
  21: [],
}
