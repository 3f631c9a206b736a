import type { Caller, ChannelSnapshot } from '../relay/ports.ts'

/** Names of the models that a caller may use: its token's, or all of its group. */
export const modelsOf = ({ modelLimits, group }: Caller, snapshot: ChannelSnapshot): readonly string[] =>
  modelLimits === undefined ? snapshot.modelsOf(group) : [...modelLimits].sort()
