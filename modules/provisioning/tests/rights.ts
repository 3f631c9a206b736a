import type { ModuleRights } from '#server-test/rights/module-rights.ts'
import type { PlantedOrganisation } from '#server-test/rights/organisations/plant.ts'

const whole = ({ id }: PlantedOrganisation) => [id]

const lines: NonNullable<ModuleRights['organisations']>['lines'] = {
  'GET /api/organisation/:id/provisioning': { outcome: 'refused', ids: whole },
  'PUT /api/organisation/:id/provisioning': { outcome: 'refused', ids: whole },
  'POST /api/organisation/:id/provisioning/tokens': { outcome: 'refused', ids: whole },
  'POST /api/organisation/:id/provisioning/tokens/revoke': {
    outcome: 'refused',
    ids: whole,
    bodies: ({ rows }) => [{ token_id: rows.get('scim_tokens') }],
    underMine: ({ rows }) => [{ token_id: rows.get('scim_tokens') }],
  },
  'PUT /api/organisation/:id/provisioning/group': {
    outcome: 'refused',
    ids: whole,
    bodies: ({ teamId }) => [{ name: 'g', places: [{ team_id: teamId, role: 'member' }] }],
    underMine: ({ teamId }) => [{ name: 'g', places: [{ team_id: teamId, role: 'member' }] }],
  },
}

export const rights: ModuleRights = {
  kinds: { owned: Object.keys(lines) },
  organisations: {
    lines,
    seenByOwner: ['scimtokenname', 'scimgroupname', 'groupplacegroupname', 'scimcallpath'],
    insidersOf: (kind) => (/^(scim|groupplace)/.test(kind) ? ['owner', 'admin'] : undefined),
  },
}
