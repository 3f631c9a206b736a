import type { ModuleRights } from '#server-test/rights/module-rights.ts'

export const rights: ModuleRights = {
  kinds: {
    root: ['GET /api/site_import', 'POST /api/site_import', 'POST /api/site_import/upload'],
  },
  bodies: {
    'POST /api/site_import': () => ({ product: 'one-api', dsn: 'postgres://reader@127.0.0.1:1/none' }),
    'POST /api/site_import/upload': () => ({ offset: 0, data: 'AAAA' }),
  },
  notOfWallets: { import_rows: 'of the site' },
}
