import type { ComponentType, ReactNode } from 'react'

export interface ScreenPartProps {
  /** Id of the thing that the place is about, where it is about one. */
  readonly about?: string | undefined
  /** A flag of the form in which the place is, which the part draws. */
  readonly flag?: { readonly value: boolean; set(value: boolean): void }
  /** Text or elements that the place shows without the part. */
  readonly children?: ReactNode
}

/** A part of a screen that is drawn in a place of another folder: `web/parts.ts` of a module lists its own. */
export interface ScreenPart {
  /** Name of the place: `place` of a `ScreenParts`. */
  readonly place: string
  /** Within the place, the lowest first. */
  readonly position: number
  /** Least role that sees it; absent for all who see the place. */
  readonly role?: number
  /** Height in CSS that its place reserves until it is loaded; absent for none. */
  readonly height?: string
  load(): Promise<ComponentType<ScreenPartProps>>
}

/** A part that is drawn with its screen at once, and comes in the screen's own file. */
export interface FixedPart {
  /** Within the place, the lowest first. */
  readonly position: number
  readonly Part: ComponentType
}

/** The parts of a place that a person of this role sees, in their order. */
export const partsAt = (parts: readonly ScreenPart[], place: string, role: number): readonly ScreenPart[] =>
  parts
    .filter((part) => part.place === place && role >= (part.role ?? 0))
    .toSorted((one, other) => one.position - other.position)
