import { expect } from 'chai';
import fastify from 'fastify';
import { followRoutes } from '#server/http/addresses.ts';

describe('which methods an address knows', () => {
  const methodsAt = (...routes: readonly string[]) => {
    const app = fastify();
    const addresses = followRoutes(app);
    for (const url of routes) app.get(url, { exposeHeadRoute: false }, () => '');
    return (path: string) => addresses.methodsAt(path);
  };

  it('takes the signs of an address as they are, also those that mean something in an expression', () => {
    const at = methodsAt('/pages.css', '/a+b', '/c$|d^', '/[e]', '/f\\d');
    for (const path of ['/pages.css', '/a+b', '/c$|d^', '/[e]', '/f\\d'])
      expect(at(path), path).to.deep.equal(['GET']);
    for (const path of ['/pagesXcss', '/aab', '/c', 'd', '/e', '/f7'])
      expect(at(path), path).to.deep.equal([]);
  });

  it('takes what stands for a parameter as a text, up to the next slash', () => {
    const at = methodsAt('/api/users/:id');
    for (const id of ['(a+)+$', '.*', '[', '\\', '%2F']) {
      expect(at(`/api/users/${id}`), id).to.deep.equal(['GET']);
      expect(at(`/api/${id}/1`), id).to.deep.equal([]);
    }
    expect(at('/api/users/a/b')).to.deep.equal([]);
  });
});
