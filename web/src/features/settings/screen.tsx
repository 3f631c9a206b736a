import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { PageHeader } from '../../components/page-header.tsx'
import { ErrorState } from '../../components/states.tsx'
import { role as roles, type Tab } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { useSettingMessages } from './messages.ts'
import { SavingPreview, usePreviewedSaving } from './prices/prices-save.tsx'
import { allTabs, fieldId, keptBack, sectionId, sectionOf, sectionsOf, tabOf } from './registry.ts'
import { SettingsGuard } from './saving/guard.tsx'
import { RiskQuestion } from './saving/risk-question.tsx'
import { useSaving } from './saving/save.ts'
import { SaveBar } from './saving/save-bar.tsx'
import { type Stored, useStored } from './saving/stored.ts'
import { SectionCard } from './section-card.tsx'
import classes from './settings.module.css'
import { SettingsContext, useSettingsState } from './settings-state.ts'

const FindSetting = onDemand(
  async () => (await import('./find-setting.tsx')).FindSetting,
  () => <Skeleton h={36} className={classes.search} />,
)
const SystemInfoCard = onDemand(async () => (await import('./system-info.tsx')).SystemInfoCard)

const Tabs = ({ current }: { current: Tab }) => {
  const say = useSettingMessages()
  const language = useLanguage()
  const bar = useRef<HTMLElement>(null)
  // On a phone not all tabs fit: the current one comes into sight.
  useEffect(() => {
    const link = bar.current?.querySelector<HTMLElement>(`[data-tab=${current}]`)
    if (bar.current && link) bar.current.scrollLeft = link.offsetLeft - (bar.current.clientWidth - link.offsetWidth) / 2
  }, [current])
  return (
    <nav ref={bar} className={classes.tabs} aria-label={say('tabs')}>
      {allTabs.map(({ tab, title }) => (
        <Link
          key={tab}
          data-tab={tab}
          to="/setting"
          search={{ tab }}
          aria-current={tab === current ? 'page' : undefined}
        >
          {textIn(title, language)}
        </Link>
      ))}
    </nav>
  )
}

const Contents = ({ tab, role }: { tab: Tab; role: number }) => {
  const say = useSettingMessages()
  const language = useLanguage()
  const sections = sectionsOf(tab, role)
  return (
    <nav className={classes.contents} aria-label={say('sections')}>
      {tab === 'other' && (
        <Link to="/setting" search={{ tab }} hash="settings-system">
          {say('system')}
        </Link>
      )}
      {sections.map((section) => (
        <Link key={sectionId(section)} to="/setting" search={{ tab }} hash={sectionId(section)}>
          {textIn(section.title, language)}
        </Link>
      ))}
    </nav>
  )
}

/** Brings the field that the address names into sight, once per address. */
const useFound = (field: string | undefined): void => {
  useEffect(() => {
    if (field === undefined) return
    const element = document.getElementById(fieldId(field))
    element?.scrollIntoView({ block: 'center' })
    element?.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true })
  }, [field])
}

const Loaded = ({ stored, role }: { stored: Stored; role: number }) => {
  const say = useSettingMessages()
  const [search, setSearch] = useSearchParams()
  const tab = tabOf(search)
  const settings = useSettingsState(stored, role)
  const saving = useSaving(settings)
  const previewed = usePreviewedSaving(settings, saving.save)
  const kept = keptBack(tab, role)
  useFound(search.field)
  return (
    <SettingsContext value={settings}>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={<FindSetting role={role} onFind={(key) => setSearch({ tab: sectionOf(key)?.tab, field: key })} />}
      />
      <Tabs current={tab} />
      {role < roles.root && (
        <p className={classes.note}>
          {say('readOnly')} {kept > 0 && say('keptBack', { count: kept })}
        </p>
      )}
      <div className={classes.columns}>
        <Contents tab={tab} role={role} />
        <div key={tab} className={classes.cards}>
          {tab === 'other' && <SystemInfoCard />}
          {sectionsOf(tab, role).map((section) => (
            <SectionCard
              key={sectionId(section)}
              section={section}
              found={search.field}
              busy={saving.busy}
              onSave={previewed.save}
            />
          ))}
        </div>
      </div>
      <SaveBar busy={saving.busy} onSave={() => previewed.save(settings.changed)} />
      <SavingPreview {...previewed} />
      <RiskQuestion risks={saving.risks} onConfirm={saving.confirm} onClose={saving.withdraw} />
      <SettingsGuard count={settings.changed.length} onDiscard={() => settings.discard(settings.changed)} />
    </SettingsContext>
  )
}

/** Every option of the site, drawn from the registry. */
export const SettingsScreen = () => {
  const say = useSettingMessages()
  const stored = useStored()
  const role = useSession()?.role ?? 0
  if (stored.data) return <Loaded stored={stored.data} role={role} />
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} />
      {stored.error ? (
        <ErrorState error={stored.error} onRetry={() => void stored.refetch()} />
      ) : (
        <div className={classes.waiting}>
          <Skeleton h={38} />
          <Skeleton h={420} />
          <Skeleton h={260} />
        </div>
      )}
    </>
  )
}
