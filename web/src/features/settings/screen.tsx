import { Button, Skeleton } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { UnsavedGuard } from '../../components/form/unsaved-guard.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ErrorState } from '../../components/states.tsx'
import { calls, role as roles, type Tab } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useTitleOf } from '../../lib/url/page-object.ts'
import { EssentialsCard } from './essentials-card.tsx'
import { useSettingMessages } from './messages.ts'
import { SavingPreview, usePreviewedSaving } from './prices/prices-save.tsx'
import {
  essentialTabs,
  fieldId,
  type Key,
  keptBack,
  placeOf,
  type SettingsSection,
  type ShownSections,
  sectionId,
  sectionOf,
  sectionsOf,
} from './registry.ts'
import { RiskQuestion } from './saving/risk-question.tsx'
import { useSaving } from './saving/save.ts'
import { type Stored, useStored } from './saving/stored.ts'
import { SectionCard } from './section-card.tsx'
import { SectionLinks } from './section-links.tsx'
import classes from './settings.module.css'
import { SettingsContext, useSettings, useSettingsState } from './settings-state.ts'
import { fetchWords, useHasWords } from './words.ts'

/** Says at the lower edge how much is not saved yet, and saves all of it. */
const SaveBar = ({ busy, onSave }: { busy: boolean; onSave: () => void }) => {
  const say = useSettingMessages()
  const settings = useSettings()
  const count = settings.changed.length
  if (count === 0) return null
  return (
    <div className={classes.bar} role="status">
      <span>{say('unsavedBar', { count })}</span>
      <Button onClick={() => settings.discard(settings.changed)} disabled={busy}>
        {say('discardAll')}
      </Button>
      <Button variant="filled" loading={busy} onClick={onSave}>
        {say('saveAll')}
      </Button>
    </div>
  )
}

/** Edits go along from one section to another; leaving the settings loses them. */
const SettingsGuard = ({ count, onDiscard }: { count: number; onDiscard: () => void }) => {
  const say = useSettingMessages()
  return (
    <UnsavedGuard
      dirty={count > 0}
      loses={(from, to) => from.pathname.split('/')[1] !== to.pathname.split('/')[1]}
      onDiscard={onDiscard}
      title={say('guardTitle')}
      text={say('guardText', { count })}
    />
  )
}

const FindSetting = onDemand(
  async () => (await import('./find-setting.tsx')).FindSetting,
  () => <Skeleton h={36} className={classes.search} />,
)
const SystemInfoCard = onDemand(async () => (await import('./system-info.tsx')).SystemInfoCard)

/** Brings the field that the address names into sight, once per address. */
const useFound = (field: string | undefined): void => {
  useEffect(() => {
    if (field === undefined) return
    const element = document.getElementById(fieldId(field))
    element?.scrollIntoView({ block: 'center' })
    element?.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true })
  }, [field])
}

/** Sections of a group that fill a window; the others are drawn when these are seen. */
const firstSections = 2

const isSettings = (pathname: string): boolean => pathname === '/setting' || pathname === '/setting/'

/** Addresses of earlier versions named the group in a parameter. */
const useRedirect = (place: ShownSections): void => {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const named = pathname.split('/')[2] !== undefined
  useEffect(() => {
    if (named || !isSettings(pathname)) return
    const rest = Object.fromEntries(
      Object.entries(search).filter((entry): entry is [string, string] => entry[0] !== 'tab' && entry[1] !== undefined),
    )
    void navigate({ to: '/setting/$section', params: { section: place.name }, search: rest, replace: true })
  }, [named, pathname, search, navigate, place.name])
}

const Waiting = () => (
  <>
    <Skeleton h={420} />
    <Skeleton h={260} />
  </>
)

/** Tabs whose texts a place shows. */
const tabsOf = (tab: Tab | undefined): readonly Tab[] => (tab === undefined ? essentialTabs : [tab])

interface SectionsProps {
  place: ShownSections
  role: number
  field: string | undefined
  busy: boolean
  onSave: (keys: readonly Key[]) => void
}

/** The sections of a place. Those below the window are drawn when the first are seen, unless a field is looked for in them. */
const Sections = ({ place, role, field, busy, onSave }: SectionsProps) => {
  const all = useMemo((): readonly SettingsSection[] => {
    if (place.section) return [place.section]
    return place.tab === undefined ? [] : sectionsOf(place.tab, role)
  }, [place.section, place.tab, role])
  useFound(field)
  const shown = useDeferredValue(all, field === undefined ? all.slice(0, firstSections) : all)
  if (place.tab === undefined) return <EssentialsCard found={field} busy={busy} onSave={onSave} />
  return shown.map((section) => (
    <SectionCard key={sectionId(section)} section={section} found={field} busy={busy} onSave={onSave} />
  ))
}

const Loaded = ({ stored, role }: { stored: Stored; role: number }) => {
  const say = useSettingMessages()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const language = useLanguage()
  const place = placeOf(pathname, search)
  const field = search.field === undefined ? undefined : String(search.field)
  const settings = useSettingsState(stored, role)
  const saving = useSaving(settings)
  const previewed = usePreviewedSaving(settings, saving.save)
  const kept = place.tab === undefined ? 0 : keptBack(place.tab, role)
  const tabs = useMemo(() => tabsOf(place.tab), [place.tab])
  const hasWords = useHasWords(tabs)
  useTitleOf(place.tab === undefined ? say('essentials') : place.section && textIn(place.section.title, language))
  useRedirect(place)
  const find = (key: string): void =>
    void navigate({
      to: '/setting/$section',
      params: { section: sectionOf(key)?.name ?? 'operation' },
      search: { field: key },
    })
  return (
    <SettingsContext value={settings}>
      <PageHeader title={say('title')} text={say('text')} />
      <div className={classes.columns}>
        <SectionLinks place={place} role={role} search={<FindSetting role={role} onFind={find} />} />
        <div key={place.name} className={classes.cards}>
          {role < roles.root && (
            <p className={classes.note}>
              {say('readOnly')} {kept > 0 && say('keptBack', { count: kept })}
            </p>
          )}
          {place.name === 'other' && <SystemInfoCard />}
          {hasWords ? (
            <Sections place={place} role={role} field={field} busy={saving.busy} onSave={previewed.save} />
          ) : (
            <Waiting />
          )}
        </div>
      </div>
      <SaveBar busy={saving.busy} onSave={() => previewed.save(settings.changed)} />
      <SavingPreview {...previewed} />
      <RiskQuestion risks={saving.risks} onConfirm={saving.confirm} onClose={saving.withdraw} />
      <SettingsGuard count={settings.changed.length} onDiscard={() => settings.discard(settings.changed)} />
    </SettingsContext>
  )
}

export const earlyRead: FirstRead = (read) => read(calls.listOptions)

/** Every option of the site, drawn from the registry. */
export const SettingsScreen = () => {
  const say = useSettingMessages()
  const stored = useStored()
  const role = useSession()?.role ?? 0
  const { pathname, search } = useLocation()
  // The texts of the sections are fetched together with the values, since nothing is drawn without both.
  for (const tab of tabsOf(placeOf(pathname, search).tab)) void fetchWords(tab)
  if (stored.data) return <Loaded stored={stored.data} role={role} />
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} />
      {stored.error ? (
        <ErrorState error={stored.error} onRetry={() => void stored.refetch()} />
      ) : (
        <div className={classes.waiting}>
          <Skeleton h={38} />
          <Waiting />
        </div>
      )}
    </>
  )
}
