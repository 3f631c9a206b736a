/** Figures the price options start with. */
export * from './prices/tier-ratios.ts'
export * from './prices/tool-prices.ts'

/** Group → factor of every price; 1 when missing. */
export const defaultGroupRatios: Readonly<Record<string, number>> = {
  default: 1,
  vip: 1,
  svip: 1,
}

/** Group → what users see of it; only these can be chosen. */
export const defaultUserUsableGroups: Readonly<Record<string, string>> = {
  default: '默认分组',
  vip: 'vip分组',
}

/** Group → factor of the money asked for a top-up; 1 when missing. */
export const defaultTopupGroupRatios: Readonly<Record<string, number>> = {
  default: 1,
  vip: 1,
  svip: 1,
}

/** Model name → price of one call in currency units. */
export const defaultModelPrices: Readonly<Record<string, number>> = {
  suno_music: 0.1,
  suno_lyrics: 0.01,
  'dall-e-3': 0.04,
  'imagen-3.0-generate-002': 0.03,
  'gpt-4-gizmo-*': 0.1,
  mj_imagine: 0.1,
  mj_variation: 0.1,
  mj_reroll: 0.1,
  mj_blend: 0.1,
  mj_modal: 0.1,
  mj_zoom: 0.1,
  mj_shorten: 0.1,
  mj_high_variation: 0.1,
  mj_low_variation: 0.1,
  mj_pan: 0.1,
  mj_inpaint: 0,
  mj_custom_zoom: 0,
  mj_describe: 0.05,
  mj_upscale: 0.05,
  swap_face: 0.05,
  mj_upload: 0.05,
}
