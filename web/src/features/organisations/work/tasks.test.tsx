import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import type { OrganisationTaskKind } from '../../../components/parts/organisation-task.ts'
import { storeUser } from '../../../lib/api/session.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { fakeFetch } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { reader, testOrganisation } from '../testing-organisation.ts'
import { OrganisationTasks } from './tasks.tsx'

const { kinds } = vi.hoisted(() => {
  const kindOf = (name: string, en: string): OrganisationTaskKind => ({
    name,
    title: { zh: name, en },
    position: 1,
    list: { method: 'GET', path: `/api/test/:id/${name}` },
    pageOf: (answer: { readonly texts: readonly string[] }) => ({
      items: answer.texts.map((text, id) => ({
        id,
        text,
        at: 1_800_000_000,
        action: 'make',
        progress: '100%',
        failed: false,
        quota: 5,
        project_id: 0,
        member_id: 0,
      })),
      total: answer.texts.length,
    }),
  })
  return { kinds: [kindOf('pictures', 'Pictures'), kindOf('films', 'Films')] }
})
vi.mock('../../../components/parts/organisation-parts.tsx', () => ({ organisationTaskKinds: kinds }))

beforeEach(() => {
  setLanguage('en')
  storeUser({ id: reader, username: 'ada', display_name: '', role: 1, status: 1, group: 'default' })
})

it('shows the first kind of tasks, and another on demand, never the rows of one as those of another', async () => {
  let answerFilms = (_: object): void => undefined
  fakeFetch({
    'GET /api/test/5/pictures': () => ({ texts: ['a gate'] }),
    'GET /api/test/5/films': () => new Promise((resolve) => (answerFilms = resolve)),
  })
  await renderConsole(<OrganisationTasks organisation={testOrganisation('owner')} />, '/organisation')
  expect(await screen.findByText('a gate')).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: 'Films' }))
  await vi.waitFor(() => expect(screen.queryByText('a gate')).toBeNull())
  answerFilms({ texts: ['a toll booth'] })
  expect(await screen.findByText('a toll booth')).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: 'Pictures' }))
  expect(await screen.findByText('a gate')).toBeTruthy()
})

it('shows nothing where no kind is left', async () => {
  fakeFetch({})
  const all = kinds.splice(0)
  await renderConsole(<OrganisationTasks organisation={testOrganisation('owner')} />, '/organisation')
  expect(screen.queryByRole('table')).toBeNull()
  kinds.push(...all)
})
