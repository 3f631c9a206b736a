import type { Option, Section } from '../kinds.ts'

/** Options of a section, with those of modules ahead of them, or behind the ones that they name. */
const withOptions = (
  options: Section['options'],
  modules: readonly Section[],
): Readonly<Record<string, Option<unknown>>> =>
  Object.fromEntries([
    ...modules.filter(({ behind }) => behind?.isAhead).flatMap((module) => Object.entries(module.options)),
    ...Object.entries(options).flatMap(([key, option]) => [
      [key, option] as const,
      ...modules.filter(({ behind }) => behind?.option === key).flatMap((module) => Object.entries(module.options)),
    ]),
  ])

/**
 * Sections in the order of the settings screen: each of a module stands behind the section that it names, or its options stand
 * within that, ahead of its own or behind the option that it names.
 */
export const inOrder = <Kernel extends Section, Module extends Section>(
  kernel: readonly Kernel[],
  ofModules: readonly Module[],
): readonly (Kernel | Module)[] => {
  const sorted = ofModules.toSorted((one, other) => (one.behind?.position ?? 0) - (other.behind?.position ?? 0))
  const isWithin = ({ behind }: Module): boolean =>
    kernel.some(
      ({ name, options }) =>
        name === behind?.section &&
        (behind.isAhead || (behind.option !== undefined && Object.hasOwn(options, behind.option))),
    )
  const [within, apart] = [sorted.filter(isWithin), sorted.filter((module) => !isWithin(module))]
  const known = new Set<string | undefined>(kernel.map(({ name }) => name))
  return [
    ...kernel.flatMap((section) => {
      const inside = within.filter(({ behind }) => behind?.section === section.name)
      return [
        inside.length === 0 ? section : { ...section, options: withOptions(section.options, inside) },
        ...apart.filter(({ behind }) => behind?.section === section.name),
      ]
    }),
    ...apart.filter(({ behind }) => !known.has(behind?.section)),
  ]
}
