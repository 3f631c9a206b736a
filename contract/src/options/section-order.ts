import type { Section } from './kinds.ts'

/** Sections in the order of the settings screen: each of a module stands behind the section that it names. */
export const inOrder = <Kernel extends Section, Module extends Section>(
  kernel: readonly Kernel[],
  ofModules: readonly Module[],
): readonly (Kernel | Module)[] => {
  const sorted = ofModules.toSorted((one, other) => (one.behind?.position ?? 0) - (other.behind?.position ?? 0))
  const known = new Set<string | undefined>(kernel.map(({ name }) => name))
  return [
    ...kernel.flatMap((section) => [section, ...sorted.filter(({ behind }) => behind?.section === section.name)]),
    ...sorted.filter(({ behind }) => !known.has(behind?.section)),
  ]
}
