import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { calls } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { isStaffNow } from '../../lib/api/staff.ts'
import { useEndpoint } from '../../lib/query.ts'
import type { Command } from './command.ts'
import { type LogQuestion, readLogQuestion } from './log-question.ts'
import { usePaletteMessages } from './palette-messages.ts'

const mostOfEach = 3
const pauseMs = 200

type Search = Readonly<Record<string, string>>

/** Lists of calls that the words ask for: "failed azure yesterday", "carol > $1". */
export const useLogFinds = (text: string): readonly Command[] => {
  const say = usePaletteMessages()
  const navigate = useNavigate()
  const user = useSession()
  const question = user && readLogQuestion(text)
  const [name] = useDebouncedValue(question?.name ?? '', pauseMs)
  const isStaff = isStaffNow('logs')
  const asks = name !== '' && question?.name === name
  const query = { keyword: name, page_size: mostOfEach }
  const channels = useEndpoint(calls.browseChannels, { query }, { enabled: asks && isStaff })
  const users = useEndpoint(calls.searchUsers, { query }, { enabled: asks && isStaff })
  const keys = useEndpoint(calls.browseTokens, { query }, { enabled: asks })
  const models = useEndpoint(calls.getOwnModels, {}, { enabled: asks })
  if (!question) return []
  const { type, range, least } = question
  const filters: Search = {
    ...(type ? { type } : {}),
    ...(range ? { range } : {}),
    ...(least ? { min_cost: least, sort: '-quota' } : {}),
  }
  const words = wordsOf(question, say)
  const list = (id: string, subject: string | undefined, search: Search): Command => ({
    id: `log:${id}`,
    label: say('callsWith', { what: [...(subject ? [subject] : []), ...words].join(' · ') }),
    icon: 'filter',
    run: () => void navigate({ to: '/log', search: { ...filters, ...search } }),
  })
  if (question.name === '') return [list('all', undefined, {})]
  if (!asks) return []
  const isIn = (value: string): boolean => value.toLowerCase().includes(name.toLowerCase())
  return [
    ...(channels.data?.items ?? []).map(({ id, name: label }) =>
      list(`channel:${id}`, say('channelNamed', { name: label, id }), { channel: String(id) }),
    ),
    ...(users.data?.items ?? []).map(({ id, username }) =>
      list(`user:${id}`, say('userNamed', { name: username, id }), { username }),
    ),
    ...(keys.data?.items ?? []).map(({ id, name: label }) =>
      list(`key:${id}`, say('keyNamed', { name: label, id }), { token_name: label }),
    ),
    ...(models.data ?? [])
      .filter(isIn)
      .slice(0, mostOfEach)
      .map((label) => list(`model:${label}`, say('modelNamed', { name: label }), { model_name: `"${label}"` })),
  ]
}

const rangeWords = {
  today: 'rangeToday',
  yesterday: 'rangeYesterday',
  '1h': 'rangeHour',
  '24h': 'rangeDay',
  '7d': 'rangeWeek',
  '30d': 'rangeThirtyDays',
  month: 'rangeMonth',
} as const

/** The parts of a question, in the reader's words. */
const wordsOf = (
  { type, range, least }: LogQuestion,
  say: ReturnType<typeof usePaletteMessages>,
): readonly string[] => {
  const rangeWord = Object.entries(rangeWords).find(([name]) => name === range)?.[1]
  return [
    ...(type ? [say(type === '5' ? 'onlyFailed' : 'onlyCharged')] : []),
    ...(least ? [say('costOver', { amount: `$${least}` })] : []),
    ...(rangeWord ? [say(rangeWord)] : []),
  ]
}
