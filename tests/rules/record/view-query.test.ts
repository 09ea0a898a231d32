import { expect } from 'chai';
import { isViewQuery, readViewQuery, writeViewQuery } from '#rules/record/view-query.ts';

describe('the query of a saved view', () => {
  const written = (query: string) => writeViewQuery(readViewQuery(query));

  it('has each parameter once and in order, without the page and what nobody knows', () => {
    expect(
      written(
        '?view=1&sort=-name&pageOffset=3&owner=me,+ana&search=+blue++lake+&status=failed,,failed&owner=x',
      ),
    ).to.equal('status=failed&owner=me%2Cana&search=blue++lake&sort=-name');
    expect(written('pageSize=5')).to.equal('');
  });

  it('is read as it was written', () => {
    const query = {
      filters: {
        status: ['failed', 'nonsense'],
        language: ['es-419', 'Ñandú & Co.'],
        owner: ['me'],
        group: [],
        product: [],
      },
      search: 'día 100%',
      sort: 'owner.name',
    };
    expect(readViewQuery(writeViewQuery(query))).to.deep.equal(query);
  });

  it('is in its normal form once it was written, whatever somebody typed', () => {
    const odd = [
      `search=${'a'.repeat(249)}+b`,
      `search=${'😀'.repeat(300)}`,
      `search=${'x'.repeat(249)}%F0%9F%98%80`,
      `language=${'é,'.repeat(30)}`,
      `language=${'x'.repeat(2_099)}%F0%9F%98%80`,
      `owner=${Array.from({ length: 40 }, (_, n) => ` ${n} `).join()}`,
      'search=%ED%A0%80&sort=+',
      'status=,&language=+,+',
    ];
    for (const query of odd) expect(isViewQuery(written(query)), query).to.equal(true);
  });
});
