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
