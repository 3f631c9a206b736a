/** Models that the console offers for a new channel of this type. */
export const models: readonly string[] = ['chatglm_turbo', 'chatglm_pro', 'chatglm_std', 'chatglm_lite']
