import { insertReturningId } from '#server/db/dialect.ts'
import type { ModuleRights } from '#server-test/rights/module-rights.ts'
import type { PlantedOrganisation } from '#server-test/rights/organisations/plant.ts'
import '../server/tables.ts'

const alert = {
  name: 'a',
  metric: 'spend',
  filters: [],
  mine: true,
  comparison: 'above',
  threshold: 1,
  window_hours: 24,
  enabled: true,
}
const planted = ({ rows }: PlantedOrganisation) => [rows.get('explore_alerts') ?? 0]

export const rights: ModuleRights = {
  kinds: {
    own: ['GET /api/explore/alerts', 'POST /api/explore/alerts'],
    owned: ['PUT /api/explore/alerts/:id', 'DELETE /api/explore/alerts/:id'],
    site: ['GET /api/explore/events'],
  },
  give: async (query, _, userId) => ({
    alertId: await insertReturningId(query, 'explore_alerts', {
      user_id: userId,
      name: 'an alert',
      metric: 'spend',
      filters: '[]',
      own_calls: 1,
      comparison: 'above',
      threshold: 1,
      window_hours: 24,
      enabled: 1,
      version: 0,
      over_since: 0,
      last_value: null,
      checked_time: 0,
      noticed_time: 0,
      changed_time: Math.floor(Date.now() / 1000),
    }),
  }),
  ids: [['/api/explore/alerts/', 'alertId']],
  ofUsers: ['explore_alerts'],
  columns: {
    'explore_alerts.metric': 'spend',
    'explore_alerts.filters': '[]',
    'explore_alerts.comparison': 'above',
  },
  organisations: {
    lines: {
      'GET /api/explore/alerts': { outcome: 'empty' },
      'POST /api/explore/alerts': {
        outcome: 'empty',
        bodies: ({ keyId }) => [{ ...alert, filters: [{ dimension: 'token', values: [String(keyId)] }] }],
      },
      'PUT /api/explore/alerts/:id': { outcome: 'refused', ids: planted, bodies: () => [alert] },
      'DELETE /api/explore/alerts/:id': { outcome: 'refused', ids: planted },
    },
    seenByOwner: [],
    insidersOf: () => undefined,
  },
}
