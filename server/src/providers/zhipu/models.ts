/** Names offered when a channel of this type is made. */
export const models: readonly string[] = ['chatglm_turbo', 'chatglm_pro', 'chatglm_std', 'chatglm_lite']
