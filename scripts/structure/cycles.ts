import type { Module } from './modules.ts'

/** Groups of files that import each other in a circle, type imports included (Tarjan's strongly connected components). */
export const cyclesOf = (modules: readonly Module[]): readonly (readonly string[])[] => {
  const importsOf = new Map(modules.map(({ path, imports }) => [path, imports]))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const cycles: string[][] = []

  const visit = (path: string): void => {
    order.set(path, order.size)
    lowest.set(path, order.size - 1)
    stack.push(path)
    onStack.add(path)
    for (const target of importsOf.get(path) ?? []) {
      if (!order.has(target)) visit(target)
      else if (!onStack.has(target)) continue
      lowest.set(path, Math.min(lowest.get(path) ?? 0, lowest.get(target) ?? 0))
    }
    if (lowest.get(path) !== order.get(path)) return
    const group = stack.splice(stack.indexOf(path))
    for (const member of group) onStack.delete(member)
    if (group.length > 1 || importsOf.get(path)?.includes(path)) cycles.push(group.sort())
  }

  for (const { path } of modules) if (!order.has(path)) visit(path)
  return cycles
}
