import { Skeleton } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import { role as roles } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { SettingsSection } from './registry.ts'
import { TestMail } from './test-mail.tsx'

// Each belongs to one section; the others do without its code.
const PriceTabs = onDemand<{ children: ReactNode }>(
  async () => (await import('./prices/prices-tabs.tsx')).PriceTabs,
  () => <Skeleton h={760} />,
)
const ResetModelRatio = onDemand(
  async () => (await import('./prices/prices-reset.tsx')).ResetModelRatio,
  () => <Skeleton w={120} h={36} />,
)
const ClearLogs = onDemand(
  async () => (await import('../../components/clear-logs/clear-logs.tsx')).ClearLogs,
  () => <Skeleton w={120} h={36} />,
)

/** Additional parts of a section beside its fields, by the section's name. */
export const extras: ReadonlyMap<string, ComponentType> = new Map<string, ComponentType>([
  ['prices', ResetModelRatio],
  ['mail', TestMail],
  ['logging', ClearLogs],
])

/**
 * True if a section shows its options, by the address: the price lists, which only root sees, stand in their place and have nothing to
 * save.
 */
export const showsOptions = (
  section: SettingsSection,
  search: Readonly<Record<string, string | undefined>>,
  role: number,
): boolean => section.name !== 'prices' || search.prices !== 'lists' || search.field !== undefined || role < roles.root

type Frame = ComponentType<{ children: ReactNode }>

/** Wraps the fields of a section, e.g. with another editor of the same options, by the section's name. */
export const frames: ReadonlyMap<string, Frame> = new Map<string, Frame>([['prices', PriceTabs]])
