import type { ComponentType } from 'react'
import { moduleParts } from '../../../../modules/lists/parts.ts'
import { useSession } from '../../lib/api/session.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { partsAt, type ScreenPart, type ScreenPartProps } from './screen-part.ts'

const components = new Map<ScreenPart, ComponentType<ScreenPartProps>>()

const componentOf = (part: ScreenPart): ComponentType<ScreenPartProps> => {
  const known = components.get(part)
  if (known !== undefined) return known
  const { height } = part
  const reserved = height === undefined ? undefined : () => <div style={{ height }} aria-busy="true" />
  const made = onDemand<ScreenPartProps>(() => part.load(), reserved)
  components.set(part, made)
  return made
}

/** A place for parts of modules; its children are shown where no module has one. */
export const ScreenParts = ({ place, about, flag, children }: ScreenPartProps & { readonly place: string }) => {
  const parts = partsAt(moduleParts, place, useSession()?.role ?? 0)
  if (parts.length === 0) return children
  return parts.map((part) => {
    const Part = componentOf(part)
    return (
      <Part key={part.position} about={about} {...(flag && { flag })}>
        {children}
      </Part>
    )
  })
}
