import type { RelayOptions } from '../../relay/ports.ts'

/**
 * The model that a name means for a group: that of the group's alias, and in place of a model that has ended the one that follows it.
 * `now` in milliseconds since 1970. Almost always the name itself.
 */
export const meantModel = (
  name: string,
  group: string,
  now: number,
  { modelAliases, modelEnds }: Pick<RelayOptions, 'modelAliases' | 'modelEnds'>,
): string => {
  if (modelAliases.size === 0 && modelEnds.size === 0) return name
  const model = modelAliases.get(group)?.get(name) ?? name
  const end = modelEnds.get(model)
  return end === undefined || end.replacedBy === '' || now < end.at ? model : end.replacedBy
}

/** Milliseconds since 1970 at which a name comes to mean another model, because its model ends; Infinity without an announced end. */
export const modelEndOf = (
  name: string,
  group: string,
  now: number,
  { modelAliases, modelEnds }: Pick<RelayOptions, 'modelAliases' | 'modelEnds'>,
): number => {
  const end = modelEnds.get(modelAliases.get(group)?.get(name) ?? name)
  return end === undefined || end.replacedBy === '' || now >= end.at ? Number.POSITIVE_INFINITY : end.at
}

/** Names with the aliases of a group whose models are among them, sorted. */
export const withAliases = (
  names: readonly string[],
  group: string,
  { modelAliases }: Pick<RelayOptions, 'modelAliases'>,
): readonly string[] => {
  const aliases = modelAliases.get(group)
  if (aliases === undefined) return names
  const there = new Set(names)
  const more = [...aliases].filter(([, model]) => there.has(model)).map(([alias]) => alias)
  return [...new Set([...names, ...more])].sort()
}
